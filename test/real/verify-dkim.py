# Verifies DKIM signatures with dkimpy, which shares nothing with the product. On standard input: {"records": {name: text},
# "letters": [base64]}; on standard output: for each letter, one answer for each signature that it carries.
import base64
import json
import sys

import dkim

asked = json.load(sys.stdin)
records = {name.rstrip('.'): text.encode() for name, text in asked['records'].items()}


def record(name, timeout=5):
    return records.get(name.decode().rstrip('.'))


said = []
for letter in asked['letters']:
    verifier = dkim.DKIM(base64.b64decode(letter), minkey=1024)
    signatures = [name for name, _ in verifier.headers if name.lower() == b'dkim-signature']
    said.append([bool(verifier.verify(idx=n, dnsfunc=record)) for n in range(len(signatures))])
json.dump(said, sys.stdout)
