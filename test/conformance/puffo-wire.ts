/** The `puffo-wire` suite: every section of the recorded wire protocol, for any crypto engine. */
import type { CryptoEngine } from '../../src/core/ports.ts';
import type { Suite } from './case.ts';
import { basics } from './wire-basics.ts';
import { keyFiles } from './wire-key-files.ts';
import { messageSections } from './wire-messages.ts';
import { signatures } from './wire-signatures.ts';

export const puffoWire = (engine: CryptoEngine): Suite => ({
  ...basics(engine),
  ...signatures(engine),
  ...messageSections(engine),
  ...keyFiles(engine),
});
