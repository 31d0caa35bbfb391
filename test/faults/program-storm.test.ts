import { afterEach, beforeEach, expect, it } from 'vitest';
import { proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { fakeAgents, ProgramStorm } from './program-storm.ts';

const kills = proof ? 120 : 5;

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.remove());

it.skipIf(process.platform !== 'linux')(
  `F1 F2: ${kills} SIGKILLs of host, programs and their children: one answer each, no orphan (seed ${seed})`,
  { timeout: 60_000 + kills * 30_000 },
  async () => {
    const { agents, end } = await fakeAgents();
    try {
      const storm = new ProgramStorm(desk, agents, seed);
      await storm.start();
      for (let round = 0; round < kills; round += 1) await storm.round(round);
      await storm.end();
      expect(storm.figures.messages).toBe(kills * agents.length);
      if (proof) console.log(`storm over fakes, seed ${seed}: ${JSON.stringify(storm.figures)}`);
    } finally {
      await end();
    }
  },
);
