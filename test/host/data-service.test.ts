import { statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = await newDemoHome();
let kennel: TestHost;
/** Root of the greeting's answer: a thread in Guide's store. */
let rootId = '';

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

function get(
  where: { socketPath: string } | { host: string; port: number },
  target: string,
  headers: Record<string, string>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, path: target, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (piece) => (text += String(piece)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

beforeAll(async () => {
  writeFileSync(path.join(folder.home, 'daemon.yml'), 'data_service:\n  port: 0\n');
  kennel = await startHost(folder.home);
  await kennel.call('setup.tryDemo', {});
  const { messageId, roomId } = await kennel.call('chat.send', { to: 'guide', text: 'echo hello' });
  await answerTo(kennel, roomId, messageId);
  rootId = messageId;
});
afterAll(async () => {
  await kennel.stop();
  folder.remove();
});

describe('Data service', () => {
  it('uses a socket for the owner only and serves a token the data of its own agent (T4)', async () => {
    const { socket, token, url } = await kennel.call('agents.dataAccess', { agent: 'guide' });
    expect(url).toBe('');
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const headers = { authorization: `Bearer ${token}` };
    const ask = (target: string, more = {}) => get({ socketPath: socket }, target, { ...headers, ...more });
    const thread = await until('the answer in the store', async () => {
      const { json } = await ask(`/v1/data/guide/threads/${rootId}`);
      const found = (json as { messages?: { content: string }[] }).messages ?? [];
      return found.length === 2 && found;
    });
    expect(thread[0]?.content).toBe('echo hello');
    expect(await ask(`/v1/data/checker/threads/${rootId}`)).toEqual({
      status: 404,
      json: { error: 'agent db not found' },
    });
    expect((await ask(`/v1/data/guide/threads/${rootId}`, { authorization: '' })).status).toBe(401);
    const { token: other } = await kennel.call('agents.dataAccess', { agent: 'checker' });
    expect(other).not.toBe(token);
  });

  it('on a TCP port accepts its own host names and no web page (T1, T2)', async () => {
    const { url, token } = await kennel.call('agents.dataAccess', { agent: 'guide', tcp: true });
    const { hostname, port } = new URL(url);
    const ask = async (headers: Record<string, string>): Promise<number> => {
      const sent = { authorization: `Bearer ${token}`, ...headers };
      const answer = await get(
        { host: hostname, port: Number(port) },
        `/v1/data/guide/threads/${rootId}`,
        sent,
      );
      return answer.status;
    };
    expect(await ask({})).toBe(200);
    expect(await ask({ host: `host.docker.internal:${port}` })).toBe(200);
    expect(await ask({ host: `evil.example:${port}` })).toBe(421);
    expect(await ask({ origin: 'http://localhost:5173' })).toBe(403);
    expect(await ask({ authorization: 'Bearer x' })).toBe(401);
  });

  it('is forbidden to agents and unknown for a missing agent', async () => {
    const answer = await kennel.host.call({ kind: 'agent', id: 'guide' }, 'agents.dataAccess', {
      agent: 'guide',
    });
    expect(answer).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect((await kennel.tryCall('agents.dataAccess', { agent: 'nobody' })).ok).toBe(false);
  });
});
