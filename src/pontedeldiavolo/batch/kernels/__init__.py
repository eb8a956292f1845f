"""The rules once more, for compiled code that plays one game after another in the same memory."""
