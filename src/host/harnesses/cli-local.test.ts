import { expect, it } from 'vitest';
import { harnessFacts, harnessIds } from '../../contract/harnesses.ts';
import { programRecipes } from './cli-local.ts';

it('The table of programs names a terminal exactly for those whose recipe has arguments for one', () => {
  const inTable = harnessIds.filter((id) => harnessFacts(id).hasTerminal);
  const inRecipes = programRecipes.filter(({ terminalArgs }) => terminalArgs).map(({ harness }) => harness);
  expect([...inTable].sort()).toEqual([...inRecipes].sort());
});
