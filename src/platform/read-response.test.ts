import { expect, it } from 'vitest';
import { readResponse } from './read-response.ts';

it('T24: A response is read up to its limit and the transfer is cancelled beyond it', async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('abcd')),
    cancel: () => {
      cancelled = true;
    },
  });
  expect(await readResponse(new Response(endless), 10)).toEqual({ text: 'abcdabcdab', isWhole: false });
  expect(cancelled).toBe(true);
  expect(await readResponse(new Response('grün'), 5)).toEqual({ text: 'grün', isWhole: true });
  expect(await readResponse(new Response(null), 5)).toEqual({ text: '', isWhole: true });
});
