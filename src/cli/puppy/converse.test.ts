import { describe, expect, it } from 'vitest';
import { yesOrNo } from './converse.ts';

describe('an answer at the terminal', () => {
  it('is a yes only when it says nothing else', () => {
    for (const said of ['y', 'Y', 'yes', 'YES']) expect(yesOrNo(said), said).toEqual({ type: 'approve' });
    for (const said of ['', 'yes but', 'maybe', 'yess'])
      expect(yesOrNo(said), said).toEqual({ type: 'reject' });
  });

  it('keeps what follows a no as its reason', () => {
    const reason = 'wait for the audit';
    for (const said of [`n ${reason}`, `no, ${reason}`, `No: ${reason}`])
      expect(yesOrNo(said), said).toEqual({ type: 'reject', reason });
    for (const said of ['n', 'no', 'no. ', 'nothing to add'])
      expect(yesOrNo(said), said).toEqual({ type: 'reject' });
  });
});
