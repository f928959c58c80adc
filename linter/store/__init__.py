"""What is kept on disk between runs: wire text by content hash. A damaged entry is a miss."""
