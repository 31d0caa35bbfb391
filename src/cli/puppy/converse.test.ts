import { describe, expect, it } from 'vitest';
import { yesOrNo } from './converse.ts';

describe('Approval answers typed in the terminal', () => {
  it('approve only if the whole answer is a yes', () => {
    for (const said of ['y', 'Y', 'yes', 'YES']) expect(yesOrNo(said), said).toEqual({ type: 'approve' });
    for (const said of ['', 'yes but', 'maybe', 'yess'])
      expect(yesOrNo(said), said).toEqual({ type: 'reject' });
  });

  it('keep the text after a no as the reason', () => {
    const reason = 'wait for the audit';
    for (const said of [`n ${reason}`, `no, ${reason}`, `No: ${reason}`])
      expect(yesOrNo(said), said).toEqual({ type: 'reject', reason });
    for (const said of ['n', 'no', 'no. ', 'nothing to add'])
      expect(yesOrNo(said), said).toEqual({ type: 'reject' });
  });
});
