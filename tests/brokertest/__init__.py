"""The live proof: real name servers, brokers and clients against the model. See README.md."""
