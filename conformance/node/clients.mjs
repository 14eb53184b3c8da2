// Runs scenarios of clients for Node. It reads one JSON object a line from
// standard input and prints one a line, with the same id, for what happened; many
// run at once. `block` is the client's block of a stack, `key` is which one it is.
import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
import https from 'node:https';
import readline from 'node:readline';
import tls from 'node:tls';
import { readFileSync } from 'node:fs';
import axios from 'axios';
import got from 'got';
import * as undici from 'undici';

const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version;
const versions = Object.fromEntries(['undici', 'axios', 'got'].map((name) => [name, version(name)]));

// A library may keep the header to itself until the body is there: Node tells of
// it when it comes. Each scenario has a server, and so a host, of its own.
const runs = new Map();
diagnostics.subscribe('http.client.response.finish', ({ request, response }) => {
  const run = runs.get(request.getHeader('host'));
  if (run?.measuring) run.out.status = response.statusCode;
});
diagnostics.subscribe('undici:request:headers', ({ request, response }) => {
  const run = runs.get(new URL(request.origin).host);
  if (run?.measuring) run.out.status = response.statusCode;
});

class Run {
  constructor(s) {
    Object.assign(this, { s, block: s.block, out: { status: 0, bytes: 0, error: '', code: '' }, measuring: false, told: false });
    runs.set(new URL(s.url).host, this);
  }
  begin() {
    this.measuring = true;
    this.start = performance.now();
    setTimeout(() => this.tell({ running: true }), this.s.observeMs);
  }
  tell(more) {
    if (this.told) return;
    this.told = true;
    const elapsedMs = Math.round(performance.now() - this.start);
    console.log(JSON.stringify({ ...this.out, id: this.s.id, version: versions[this.s.key], elapsedMs, ...more }));
  }
  failed(e) {
    const code = typeof e.code === 'string' && e.code || e.cause?.code || e.name;
    this.tell({ code: e.event ? `${code}:${e.event}` : code, error: `${e.message} ${e.cause?.message || ''}` });
  }
  get method() { return this.measuring && this.s.method || 'GET'; }
  get body() { return this.measuring && this.s.bodyBytes ? Buffer.alloc(this.s.bodyBytes, 'b') : undefined; }
}

function undiciClient(run) {
  const { fetch, request, RetryAgent, connectTimeout, version, ...options } = run.block;
  options.connect = { ca: run.s.ca || undefined };
  if (connectTimeout !== undefined) options.connectTimeout = options.connect.timeout = connectTimeout;
  let dispatcher = new undici.Agent(options);
  if (RetryAgent) dispatcher = new undici.RetryAgent(dispatcher, RetryAgent);
  return async (out, limited) => {
    const way = fetch || request;
    const signal = limited && way?.signal ? AbortSignal.timeout(way.signal.timeout) : undefined;
    const more = limited ? {} : { headersTimeout: 0, bodyTimeout: 0 };
    const r = await undici[fetch ? 'fetch' : 'request'](run.s.url, { dispatcher, signal, method: run.method, body: run.body, ...(fetch ? {} : more) });
    out.status = r.status || r.statusCode;
    for await (const piece of r.body) out.bytes += piece.length;
  };
}

function axiosClient(run) {
  const { httpAgent, timeout, version, ...options } = run.block;
  if (httpAgent || run.s.ca) {
    options.httpAgent = new http.Agent(httpAgent);
    options.httpsAgent = new https.Agent({ ...httpAgent, ca: run.s.ca });
  }
  return async (out, limited) => {
    const limit = limited && timeout !== undefined ? { timeout } : {};
    const r = await axios.request({ url: run.s.url, method: run.method, data: run.body, proxy: false, validateStatus: null, responseType: 'text', ...options, ...limit });
    out.status = r.status;
    out.bytes = r.data.length;
  };
}

function gotClient(run) {
  const { version, timeout, retry, ...options } = run.block;
  if (run.s.ca) options.https = { certificateAuthority: run.s.ca };
  options.agent = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
  return async (out, limited) => {
    const limit = limited ? { timeout, retry } : { retry: { limit: 0 } };
    // Only what would be thrown is repeated; in the end it is an answer as well.
    const r = await got(run.s.url, { method: run.method, body: run.body, ...options, ...limit })
      .catch((e) => { if (e.name === 'HTTPError') return e.response; throw e; });
    out.status = r.statusCode;
    out.bytes = r.rawBody.length;
  };
}

const clients = { undici: undiciClient, axios: axiosClient, got: gotClient };

async function drive(s) {
  const run = new Run(s);
  const once = clients[s.key](run);
  try {
    for (let i = 0; i < (s.before || 0); i++) await once({ bytes: 0 }, false);
    for (let i = 0; i < (s.occupy || 0); i++) once({ bytes: 0 }, false).catch(() => {});
    await new Promise((go) => setTimeout(go, s.occupy ? 200 : 20));
    run.begin();
    await once(run.out, true);
    run.tell({});
  } catch (e) {
    run.start ??= performance.now();
    run.failed(e);
  }
}

// The first secure context loads the system's roots, which takes longer than some
// timers; so does the first use of a signal.
tls.createSecureContext();
AbortSignal.timeout(1);
readline.createInterface({ input: process.stdin })
  .on('line', (line) => drive(JSON.parse(line)))
  .on('close', () => process.exit());
