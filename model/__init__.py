"""The modelling language and the state-space explorer."""
