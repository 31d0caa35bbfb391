import { mcp } from './english/mcp.ts';
import { skills } from './english/skills.ts';

/** English texts of pages that load later, so that they do not delay the first one. */
export const laterEnglish = { mcp, skills } as const;
