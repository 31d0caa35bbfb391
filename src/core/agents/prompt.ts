/**
 * System prompt: primer, role and memory in the form of the official client (spec §5, vectors
 * `claude_md_assembly`).
 */
import { strip } from '../lib/whitespace.ts';
import { type AgentPersona, identityNote } from './identity-note.ts';

export interface PromptParts {
  readonly primer: string;
  /** Whole profile.md. */
  readonly profile: string;
  readonly memory: string;
  /** Names and descriptions; absent if the agent has none. */
  readonly skills?: string;
}

export function assemblePrompt(parts: PromptParts): string {
  const pieces: string[] = [];
  const add = (heading: string, text: string): void => {
    const body = strip(text);
    if (body !== '') pieces.push(heading === '' ? body : `---\n\n# ${heading}\n\n${body}`);
  };
  add('', parts.primer);
  add('Your role', parts.profile);
  add('Your skills', parts.skills ?? '');
  add('Your memory', parts.memory);
  return `${pieces.join('\n\n')}\n`;
}

/** Prompt of the next turn: the assembled prompt, with the identity note in the primer section. */
export function systemPrompt(parts: PromptParts, persona: AgentPersona): string {
  return assemblePrompt({ ...parts, primer: `${strip(parts.primer)}\n\n${identityNote(persona)}` });
}
