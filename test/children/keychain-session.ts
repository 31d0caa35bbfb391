/** Run by the keychain test inside a session bus of its own: does with the real keychain what it is told, prints JSON. */
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
