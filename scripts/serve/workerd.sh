#!/bin/sh
# Runs workerd so that it ends when its parent process does, even if that is killed: it would keep port and storage otherwise.
exec setpriv --pdeathsig KILL "$ANDON_WORKERD" "$@"
