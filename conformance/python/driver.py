"""Runs scenarios of HTTP clients. It reads one JSON object a line from standard
input and prints one a line, with the same id, for what happened; many run at
once. "block" is the client's block of a stack, "key" is which client it is."""
import asyncio
import importlib.metadata
import json
import ssl
import sys
import tempfile
import threading
import time

import aiohttp
import httpx
import requests
import requests.adapters
import urllib3

printing = threading.Lock()


class Run:
    """One scenario: what came of it is told once, the first time."""

    def __init__(self, s):
        self.s, self.block, self.url = s, s["block"], s["url"]
        self.told = False
        self.begin = time.monotonic()
        self.out = {"status": 0, "bytes": 0, "error": "", "code": ""}
        self.ca = None
        if s.get("ca"):
            with tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False) as f:
                f.write(s["ca"])
            self.ca = f.name

    def start(self):
        """Begins the observation."""
        self.begin = time.monotonic()
        timer = threading.Timer(self.s["observeMs"] / 1000, lambda: self.tell(running=True))
        timer.daemon = True
        timer.start()

    def failed(self, e):
        names, texts = [], []
        while e is not None and len(names) < 8:
            names.append(type(e).__name__)
            texts.append(str(e))
            e = getattr(e, "reason", None) if isinstance(getattr(e, "reason", None), BaseException) else e.__cause__ or e.__context__
        self.tell(code=" ".join(names), error=" <- ".join(texts))

    def tell(self, **more):
        with printing:
            if self.told:
                return
            self.told = True
            ms = round((time.monotonic() - self.begin) * 1000)
            version = importlib.metadata.version(self.s["key"])
            print(json.dumps({**self.out, "id": self.s["id"], "version": version, "elapsedMs": ms, **more}), flush=True)

    def method(self, measured):
        return (self.s.get("method") or "GET") if measured else "GET"

    def body(self, measured):
        return b"b" * self.s["bodyBytes"] if measured and self.s.get("bodyBytes") else None


def args(block, *names):
    return {n: block[n] for n in names if n in block}


# A call that is not measured has no limits of its own: it holds a connection.


class Requests:
    def __init__(self, run):
        b = run.block
        self.run = run
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.verify = run.ca or True
        adapter = requests.adapters.HTTPAdapter(**args(b, "pool_connections", "pool_maxsize", "pool_block", "max_retries"))
        self.session.mount("http://", adapter)
        self.session.mount("https://", adapter)
        timeout = b.get("timeout")
        self.timeout = tuple(timeout) if isinstance(timeout, list) else timeout
        if "connect" in b or "read" in b:
            self.timeout = (b.get("connect", timeout), b.get("read", timeout))

    def once(self, out, measured):
        timeout = self.timeout if measured else None
        r = self.session.request(self.run.method(measured), self.run.url, data=self.run.body(measured), timeout=timeout, stream=True)
        out["status"] = r.status_code
        for piece in r.iter_content(65536):
            out["bytes"] += len(piece)


class Urllib3:
    def __init__(self, run):
        b = run.block
        self.run = run
        more = args(b, "num_pools", "maxsize", "block")
        if run.ca:
            more["ca_certs"] = run.ca
        if "Timeout" in b:
            more["timeout"] = urllib3.Timeout(**b["Timeout"])
        if "Retry" in b:
            more["retries"] = urllib3.Retry(**b["Retry"])
        self.pool = urllib3.PoolManager(**more)

    def once(self, out, measured):
        more = args(self.run.block, "pool_timeout") if measured else {"timeout": None}
        r = self.pool.request(self.run.method(measured), self.run.url, body=self.run.body(measured), preload_content=False, **more)
        out["status"] = r.status
        for piece in r.stream():
            out["bytes"] += len(piece)
        r.release_conn()


class Httpx:
    def __init__(self, run):
        b = run.block
        self.run = run
        timeout = httpx.Timeout(b.get("timeout", 5.0), **args(b, "connect", "read", "write", "pool"))
        limits = httpx.Limits(**{"max_connections": 100, "max_keepalive_connections": 20, **b.get("limits", {})})
        verify = ssl.create_default_context(cafile=run.ca) if run.ca else True
        transport = httpx.HTTPTransport(limits=limits, verify=verify, **b.get("transport", {}))
        self.client = httpx.Client(timeout=timeout, transport=transport)

    def once(self, out, measured):
        more = {} if measured else {"timeout": None}
        with self.client.stream(self.run.method(measured), self.run.url, content=self.run.body(measured), **more) as r:
            out["status"] = r.status_code
            for piece in r.iter_raw():
                out["bytes"] += len(piece)


def blocking(client, run):
    """A client whose calls block: each call has a thread."""
    try:
        c = client(run)
        for _ in range(run.s.get("before") or 0):
            c.once({"bytes": 0}, False)
    except Exception as e:
        return run.failed(e)
    for _ in range(run.s.get("occupy") or 0):
        threading.Thread(target=quietly, args=(c,), daemon=True).start()
    time.sleep(0.2 if run.s.get("occupy") else 0.02)
    run.start()
    try:
        c.once(run.out, True)
        run.tell()
    except Exception as e:
        run.failed(e)
    time.sleep(run.s["observeMs"] / 1000 + 1)  # what is idle stays open longer than anybody looks


def quietly(c):
    try:
        c.once({"bytes": 0}, False)
    except Exception:
        pass


async def aio(run):
    b = run.block
    more = {"timeout": aiohttp.ClientTimeout(**b["timeout"])} if "timeout" in b else {}
    connector = aiohttp.TCPConnector(**b.get("connector", {}), ssl=ssl.create_default_context(cafile=run.ca) if run.ca else True)
    async with aiohttp.ClientSession(connector=connector, **more) as session:

        async def once(out, measured):
            more = {} if measured else {"timeout": aiohttp.ClientTimeout()}
            async with session.request(run.method(measured), run.url, data=run.body(measured), **more) as r:
                out["status"] = r.status
                async for piece, _ in r.content.iter_chunks():
                    out["bytes"] += len(piece)

        async def quiet():
            try:
                await once({"bytes": 0}, False)
            except Exception:
                pass

        try:
            for _ in range(run.s.get("before") or 0):
                await once({"bytes": 0}, False)
            occupied = [asyncio.create_task(quiet()) for _ in range(run.s.get("occupy") or 0)]
            await asyncio.sleep(0.2 if occupied else 0.02)
            run.start()
            await once(run.out, True)
            run.tell()
        except Exception as e:
            run.failed(e)
        await asyncio.sleep(run.s["observeMs"] / 1000)


clients = {"requests": Requests, "urllib3": Urllib3, "httpx": Httpx}
loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()

# The first secure context and the first look at a package's version take longer
# than some timers.
ssl.create_default_context()
for name in [*clients, "aiohttp"]:
    importlib.metadata.version(name)

for line in sys.stdin:
    run = Run(json.loads(line))
    if run.s["key"] == "aiohttp":
        asyncio.run_coroutine_threadsafe(aio(run), loop)
    else:
        threading.Thread(target=blocking, args=(clients[run.s["key"]], run), daemon=True).start()
