import type { HarnessId } from '../../contract/harnesses.ts';

/** Image of Node.js that the recipes begin with. */
const nodeImage = 'docker.io/library/node:24-bookworm-slim';

/** Packages of each program for npm, with exact versions, so that an image is the same on every computer. */
const packages: Partial<Record<HarnessId, readonly string[]>> = {
  'claude-code': ['@anthropic-ai/claude-code@2.1.330'],
  codex: ['@openai/codex@0.169.0', '@agentclientprotocol/codex-acp@2.6.0'],
  'gemini-cli': ['@google/gemini-cli@0.61.0'],
  opencode: ['opencode-ai@1.18.33'],
  pi: ['@earendil-works/pi-coding-agent@0.87.1', 'pi-acp@0.0.34'],
};

/** Programs for which Kennel has a recipe. */
export const recipeHarnesses = Object.keys(packages) as readonly HarnessId[];

/** The name of the image that is built for a program, and used if agent.yml names none. */
export const defaultImage = (harness: HarnessId): string => `localhost/kennel-${harness}:1`;

/** Containerfile of a program; `null` if Kennel has none for it. */
export function recipeFor(harness: HarnessId, base = nodeImage): string | null {
  const wanted = packages[harness];
  if (!wanted) return null;
  return `FROM ${base}
RUN apt-get update \\
 && apt-get install --yes --no-install-recommends ca-certificates git ripgrep python3 \\
 && rm -rf /var/lib/apt/lists/*
RUN npm install --global --no-audit --no-fund ${wanted.join(' ')} \\
 && npm cache clean --force
`;
}
