/**
 * A model server in its own process whose answer is a stream of many events: one per ms, as a fast model writes.
 */
import { createServer } from 'node:http';

const events = 400;
const text = 'Eight words of an answer are in here. '.repeat(4);
const event = `data: ${JSON.stringify({ id: 'r1', choices: [{ index: 0, delta: { content: text } }] })}\n\n`;

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(event);
      sent += 1;
      if (sent < events) return;
      clearInterval(timer);
      response.end('data: [DONE]\n\n');
    }, 1);
  });
});
if (process.send) {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' && address ? address.port : 0);
  });
}
