// What the node clients share: counted checks; the first that fails throws, run() says so and ends.
import { isDeepStrictEqual, inspect } from 'node:util';

let count = 0;
export const url = process.env.PGURL;

export function same(name, got, wanted) {
  count++;
  if (!isDeepStrictEqual(got, wanted)) throw new Error(`${name}: got ${inspect(got)}, wanted ${inspect(wanted)}`);
  console.log(`ok ${name}`);
}

export async function fails(name, work, about) {
  const error = await work().then(() => null, (e) => e);
  if (!error) throw new Error(`${name}: no error`);
  same(name, about(error), true);
}

export async function run(client, work) {
  try {
    await work();
    console.log(`OK ${client} ${count}`);
    process.exit(0);
  } catch (e) {
    console.log(`FAIL ${client}: ${e.stack}`);
    process.exit(1);
  }
}
