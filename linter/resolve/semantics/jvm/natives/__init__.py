"""Native static methods of Java's libraries, by what they are about; importing a module declares them."""
