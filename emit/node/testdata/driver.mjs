// Makes calls with the emitted clients, and says of each how it ended and when.
// Arguments: "node" or "undici", the URL, how many calls at once, and options as JSON, of
// which "stream" is a body that can be read but once.
import { Readable } from "node:stream";
import { authLimits } from "./api_limits.js";
import { client } from "./tchain_client.js";
import { fetcher } from "./tchain_undici.js";

const [kind, url, n, options] = process.argv.slice(2);
const get = kind === "node" ? client(authLimits) : fetcher(authLimits);
const { deadlineIn, abortIn, stream, ...rest } = JSON.parse(options);

async function one() {
  const start = performance.now();
  const init = { ...rest };
  if (deadlineIn !== undefined) init.deadline = Date.now() + deadlineIn;
  if (abortIn !== undefined) init.signal = AbortSignal.timeout(abortIn);
  if (stream !== undefined) Object.assign(init, { body: Readable.from([stream]), duplex: "half" });
  let ended;
  try {
    const response = await get(url, init);
    ended = `${response.status} ${await response.text()}`;
  } catch (err) {
    const code = (err.cause ?? err).code;
    ended = err.limit ?? (typeof code === "string" ? code : err.name);
  }
  return { ended, ms: Math.round(performance.now() - start) };
}

const first = await Promise.all(Array.from({ length: Number(n) }, one));
console.log(JSON.stringify([...first, await one()])); // the last one shows whether the pool is whole
process.exit(0);
