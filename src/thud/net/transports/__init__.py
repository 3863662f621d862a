"""Transports to a host: on one machine, over ssh, or over TLS by invitation.

A guest connects, and reconnects, through a `transport.Transport`; a host listens with a
`listener.StreamListener`.  Both carry bytes and know nothing of messages.
"""
