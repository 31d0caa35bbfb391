/**
 * Runs in a session bus of its own, started by the keychain test: executes the given commands on the real
 * keychain and prints JSON.
 */
import { fromHex, toHex } from '../../src/core/lib/bytes.ts';
import { createSystemKeychain } from '../../src/services/vault/system-keychain.ts';

const keychain = createSystemKeychain();
const [action = '', account = '', hex = ''] = process.argv.slice(2);

async function answer(): Promise<unknown> {
  if (action === 'set') return keychain.set(account, fromHex(hex) ?? new Uint8Array());
  if (action === 'delete') return keychain.delete(account);
  const found = await keychain.get(account);
  return found.ok ? { ok: true, hex: found.value ? toHex(found.value) : null } : found;
}

console.log(JSON.stringify({ backend: keychain.backend, ...((await answer()) as object) }));
