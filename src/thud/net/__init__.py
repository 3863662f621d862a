"""Two people at two places: a match that is played at one of them, as lines between both."""
