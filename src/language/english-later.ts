import { mcp } from './english/mcp.ts';

/** English texts of pages that load later, so that they do not delay the first one. */
export const laterEnglish = { mcp } as const;
