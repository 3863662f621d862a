"""How a host is reached: on one machine, over ssh, or by an invitation through TLS.

A `way.Way` is what a guest opens, as often as the line breaks; a `doorway.Doorway` is what a host
listens at.  What goes along a way is none of this room's business: it is bytes.
"""
