// Makes calls with the emitted clients, and says of each how it ended and when.
// Arguments: "node" or "undici", the URL, how many calls at once, and options as JSON.
import { authLimits } from "./api_limits.js";
import { client } from "./tchain_client.js";
import { fetcher } from "./tchain_undici.js";

const [kind, url, n, options] = process.argv.slice(2);
const get = kind === "node" ? client(authLimits) : fetcher(authLimits);
const { deadlineIn, abortIn, ...rest } = JSON.parse(options);

async function one() {
  const start = performance.now();
  const init = { ...rest };
  if (deadlineIn !== undefined) init.deadline = Date.now() + deadlineIn;
  if (abortIn !== undefined) init.signal = AbortSignal.timeout(abortIn);
  let ended;
  try {
    const response = await get(url, init);
    ended = `${response.status} ${await response.text()}`;
  } catch (err) {
    ended = err.limit ?? err.name;
  }
  return { ended, ms: Math.round(performance.now() - start) };
}

const first = await Promise.all(Array.from({ length: Number(n) }, one));
console.log(JSON.stringify([...first, await one()])); // the last one shows whether the pool is whole
process.exit(0);
