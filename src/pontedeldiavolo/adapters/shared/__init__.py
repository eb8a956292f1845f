"""What environments of several frameworks share."""
