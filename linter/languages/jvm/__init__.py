"""What the lowerings of JVM languages share."""
