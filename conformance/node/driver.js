'use strict';
// Runs scenarios of node:http. It reads one JSON object a line from standard input
// and prints one a line, with the same id, for what happened; many run at once.
// `block` is the block of a stack: of a client, which is then run against `url`,
// or of a server, which is then started and listens on the `port` that is printed.
// The side "defaults" prints what is in force where nothing is set.
const http = require('node:http');
const https = require('node:https');

const version = process.versions.node;
const print = (id, out) => console.log(JSON.stringify({ id, version, ...out }));

// once makes one request; done is called with what it came to.
function once(s, agent, measured, done) {
  const { block, url, ca } = s;
  const begin = performance.now();
  const since = () => Math.round(performance.now() - begin);
  const out = { status: 0, bytes: 0, error: '', code: '', events: [] };
  const options = { method: measured && s.method || 'GET', ca };
  if (agent) options.agent = agent;
  if (measured && block.timeout !== undefined) options.timeout = block.timeout;
  if (measured && block.signal) options.signal = AbortSignal.timeout(block.signal.timeout);
  const req = (url.startsWith('https:') ? https : http).request(url, options);
  let cause = null;
  const end = (error) => {
    if (!done) return;
    if (error) Object.assign(out, { error: error.message, code: error.code || error.name });
    done({ ...out, elapsedMs: since() });
    done = null;
  };
  if (measured && block.setTimeout !== undefined) req.setTimeout(block.setTimeout);
  req.on('timeout', () => {
    out.events.push(`timeout ${since()}`);
    if (measured && block.destroyOnTimeout) req.destroy(Object.assign(new Error('the program gave up'), { code: 'TIMEOUT' }));
  });
  req.on('error', (e) => { cause = e; end(e); });
  req.on('response', (res) => {
    out.status = res.statusCode;
    res.on('data', (b) => { out.bytes += b.length; });
    res.on('error', (e) => end(cause || e));
    res.on('close', () => end(res.complete ? null : cause || new Error('not complete')));
  });
  // A request that waits for the agent is not there until it has a connection.
  if (measured) setTimeout(() => { out.running = true; end(null); req.destroy(); }, s.observeMs);
  req.end(measured && s.bodyBytes ? Buffer.alloc(s.bodyBytes, 'b') : undefined);
}

function client(s) {
  const agent = s.block.agent && new (s.url.startsWith('https:') ? https : http).Agent(s.block.agent);
  const measure = () => once(s, agent, true, (out) => print(s.id, out));
  const before = (n) => {
    if (n > 0) return once(s, agent, false, () => before(n - 1));
    for (let i = 0; i < (s.occupy || 0); i++) once(s, agent, false, () => {});
    setTimeout(measure, s.occupy ? 200 : 20);
  };
  before(s.before || 0);
}

function server(s) {
  const block = { ...s.block };
  // The options that cannot be assigned later.
  const fixed = s.options ? Object.keys(block) : ['connectionsCheckingInterval', 'keepAliveTimeoutBuffer'];
  const options = {};
  for (const name of fixed) {
    if (name in block) options[name] = block[name];
    delete block[name];
  }
  try {
    const it = http.createServer(options, (req, res) => {
      req.resume();
      req.on('end', () => setTimeout(() => res.end('OK\n'), s.workMs || 0));
    });
    Object.assign(it, block);
    it.listen(0, '127.0.0.1', () => print(s.id, { port: it.address().port }));
  } catch (e) {
    print(s.id, { error: e.message, code: e.code });
  }
}

// defaults are what a server and the global agent have where nothing is set.
function defaults(s) {
  const it = http.createServer();
  const out = {};
  for (const name of ['headersTimeout', 'requestTimeout', 'connectionsCheckingInterval', 'keepAliveTimeout', 'keepAliveTimeoutBuffer', 'timeout', 'maxRequestsPerSocket']) out[`server ${name}`] = it[name];
  const agent = http.globalAgent;
  for (const name of ['keepAlive', 'keepAliveMsecs', 'maxSockets', 'maxFreeSockets', 'scheduling']) out[`agent ${name}`] = agent[name];
  out['agent timeout'] = agent.options.timeout || 0;
  print(s.id, { defaults: out });
}

// The first secure context loads the system's roots, which takes longer than some
// timers; so does the first use of a signal.
require('node:tls').createSecureContext();
AbortSignal.timeout(1);
require('node:readline').createInterface({ input: process.stdin })
  .on('line', (line) => {
    const s = JSON.parse(line);
    ({ serve: server, call: client, defaults })[s.side](s);
  })
  .on('close', () => process.exit());
