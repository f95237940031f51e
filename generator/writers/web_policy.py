"""What a browser may do with a page that is written: show what is in it. A second wall behind the escaping of texts."""

import hashlib
from base64 import b64encode


def policy_meta(script: str = "") -> str:
    """Return the `<meta>` that allows a page its own styles, embedded pictures, and the one inline script given."""
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    scripts = f"script-src 'sha256-{digest}'; " if script else ""
    allowed = f"{scripts}style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {allowed}">'
