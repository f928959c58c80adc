"""The robustness suite: untrusted trees and surroundings in, sentences and right answers out (`make hostile`)."""
