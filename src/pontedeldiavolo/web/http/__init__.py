"""The board page over HTTP, on starlette and uvicorn."""
