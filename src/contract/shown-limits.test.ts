import { describe, expect, it } from 'vitest';
import { shownUses } from './shown-limits.ts';

const use = (part: Partial<Parameters<typeof shownUses>[0][number]>) => ({
  scope: 'own' as const,
  limit: 'usdPerDay' as const,
  simulated: false,
  max: 1,
  share: 0,
  ...part,
});

describe('shownUses', () => {
  it('hides the untouched limit beside its simulated dollars', () => {
    const simulated = use({ simulated: true, share: 0.2 });
    expect(shownUses([use({}), simulated])).toEqual([simulated]);
  });

  it('keeps an untouched limit without simulated dollars, and one that real money touched', () => {
    const simulated = use({ simulated: true, share: 0.2 });
    const touched = use({ share: 0.01 });
    expect(shownUses([use({})])).toHaveLength(1);
    expect(shownUses([touched, simulated])).toEqual([touched, simulated]);
    expect(shownUses([use({ limit: 'tokensPerDay' }), simulated])).toHaveLength(2);
  });
});
