/** Signed requests of one device (spec §2.1); renews the subkey before it expires and once after a 401. */
import { randomBytes } from 'node:crypto';
import {
  certified,
  type Json,
  type Keys,
  type Pair,
  pair,
  raw,
  sha256,
  signature,
  url,
} from './peer-keys.ts';

export interface Answer {
  readonly status: number;
  readonly json: Json;
  readonly bytes: Buffer;
}

interface Subkey {
  readonly id: string;
  readonly keys: Pair;
  readonly expiresAt: number;
}

const subkeyMs = 47 * 3_600_000;
const nearMs = 5 * 60_000;

/** Every response body is JSON, except a file's bytes; any other body with a 2xx is an error. */
async function read(response: Response): Promise<Answer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isFile = response.headers.get('content-type') === 'application/octet-stream';
  const json = isFile || bytes.length === 0 ? {} : (JSON.parse(bytes.toString('utf8')) as Json);
  return { status: response.status, json, bytes };
}

export async function openRequest(server: string, path: string, body: Json): Promise<Json> {
  const headers = { 'content-type': 'application/json' };
  const sent = await fetch(`${server}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await read(sent);
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  return answer.json;
}

export class SignedRequests {
  readonly #server: string;
  readonly #keys: Keys;
  readonly slug: string;
  #subkey: Subkey | null = null;

  constructor(server: string, slug: string, keys: Keys) {
    this.#server = server.replace(/\/$/, '');
    this.slug = slug;
    this.#keys = keys;
  }

  async subkey(): Promise<Subkey> {
    if (this.#subkey && this.#subkey.expiresAt > Date.now() + nearMs) return this.#subkey;
    const keys = pair('ed25519');
    const id = `sk_${url(sha256(raw(keys.public)))}`;
    const { deviceId, device } = this.#keys;
    const issued_at = Date.now();
    const fields = { version: 1, subkey_id: id, device_id: deviceId, subkey_public_key: keys.public };
    const body = { ...fields, type: 'subkey_cert', issued_at, expires_at: issued_at + subkeyMs };
    const sent = JSON.stringify({ subkey_cert: certified(body, device, 'signature') });
    const answer = await this.#once('POST', '/devices/subkeys', Buffer.from(sent), deviceId, device);
    if (answer.status >= 400) throw new Error(`no subkey: ${answer.status} ${JSON.stringify(answer.json)}`);
    this.#subkey = { id, keys, expiresAt: issued_at + subkeyMs };
    return this.#subkey;
  }

  /**
   * Sends objects as JSON, bytes as they are, and no body for an empty object. Throws if the server refuses.
   */
  async ask(method: string, path: string, body?: Json | Buffer): Promise<Answer> {
    const answer = await this.tried(method, path, body);
    if (answer.status < 400) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  }

  async tried(method: string, path: string, body?: Json | Buffer): Promise<Answer> {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body ? JSON.stringify(body) : '');
    const sent = bytes.toString('utf8') === '{}' ? Buffer.alloc(0) : bytes;
    const send = async (): Promise<Answer> => {
      const { id, keys } = await this.subkey();
      return this.#once(method, path, sent, id, keys);
    };
    const first = await send();
    if (first.status !== 401) return first;
    this.#subkey = null;
    return send();
  }

  async #once(method: string, path: string, body: Buffer, signerId: string, by: Pair): Promise<Answer> {
    const timestamp = String(Date.now());
    const nonce = url(randomBytes(16));
    const head = Buffer.from(`${method}\n${path}\n${timestamp}\n${nonce}\n`);
    const headers = {
      'x-puffo-version': 'v1',
      'x-puffo-slug': this.slug,
      'x-puffo-signer-id': signerId,
      'x-puffo-timestamp': timestamp,
      'x-puffo-nonce': nonce,
      'x-puffo-signature': signature(by, Buffer.concat([head, body])),
      'content-type': 'application/json',
    };
    const content = body.length === 0 ? {} : { body: new Uint8Array(body) };
    return read(await fetch(`${this.#server}${path}`, { method, headers, ...content }));
  }
}
