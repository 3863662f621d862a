"""How strong somebody plays, as a number."""
