/**
 * A model server in its own process that answers as soon as the request is complete, so that only the request
 * is measured.
 */
import { createServer } from 'node:net';

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const event = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'r1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const answer = [
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n',
  chunk(event({ role: 'assistant', content: 'Hello' }, null)),
  chunk(`${event({}, 'stop')}data: [DONE]\n\n`),
  '0\r\n\r\n',
].join('');

/** Size of the request in bytes; `Infinity` until its header is complete. */
function lengthOf(head: string): number {
  const end = head.indexOf('\r\n\r\n');
  const told = /^content-length: *(\d+)/im.exec(head)?.[1];
  return end < 0 || told === undefined ? Number.POSITIVE_INFINITY : end + 4 + Number(told);
}

const server = createServer({ noDelay: true }, (socket) => {
  let got = 0;
  let wanted = Number.POSITIVE_INFINITY;
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece) => {
    if (got === 0) wanted = lengthOf(piece.toString('latin1'));
    got += piece.length;
    if (got < wanted) return;
    got = 0;
    socket.write(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
