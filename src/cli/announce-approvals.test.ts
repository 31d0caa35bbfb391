import { expect, test } from 'vitest';
import type { Approval } from '../contract/approvals.ts';
import { announcementOf } from './announce-approvals.ts';

const asked = { id: 'ap_1', agentName: 'Guide', title: 'wants to write hello.md' } as Approval;
const gate = (kind: 'approval' | 'uncertain') => ({ ...asked, gate: { kind } }) as Approval;

test.each([
  [
    asked,
    'Guide wants to write hello.md, and waits for you. Look at it with "kennel approvals show ap_1", then allow or deny it.',
  ],
  [{ ...gate('approval'), title: 'asks: Send it?' }, 'Send it? It waits for you. Look'],
  [{ ...gate('uncertain'), title: 'asks: Was it done?' }, 'then answer it.'],
])('An announcement of a waiting approval is whole sentences and says how to answer', (approval, said) => {
  expect(announcementOf(approval)).toContain(said);
});
