"""Transports that reach a host: on one machine, over ssh, or by an invitation through TLS.

A `transport.Transport` is what a guest opens, as often as the connection breaks; a
`listener.StreamListener` is what a host listens at.  They carry bytes and know no messages.
"""
