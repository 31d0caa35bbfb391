import { expect, it } from 'vitest';
import { listenOn } from './listen-on.ts';
import { closeHttpServer, createLoopbackServer } from './loopback-server.ts';

it('F7: An accept error after listen ends neither the server nor the process', async () => {
  const server = createLoopbackServer({}, (_request, response) => response.end('here'));
  const listening = await listenOn(server, { host: '127.0.0.1', port: 0 });
  if (!listening.ok) throw listening.error;
  const noDescriptors = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });
  expect(server.emit('error', noDescriptors)).toBe(true);
  expect(server.emit('error', noDescriptors)).toBe(true);
  expect(await (await fetch(`http://127.0.0.1:${listening.port}`)).text()).toBe('here');
  const second = createLoopbackServer({}, () => undefined);
  expect(await listenOn(second, { host: '127.0.0.1', port: listening.port })).toMatchObject({
    ok: false,
    error: { code: 'EADDRINUSE' },
  });
  await closeHttpServer(server);
});
