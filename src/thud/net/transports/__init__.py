"""Transports to a host: on one machine, over ssh, or over TLS by invitation.

A `transport.Transport` is what a guest opens, as often as the connection breaks; a
`listener.StreamListener` is what a host listens at.  They carry bytes and know no messages.
"""
