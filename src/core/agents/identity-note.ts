/** Lines of a system prompt that tell an agent its identity; only the scripted model parses them. */

export interface AgentPersona {
  readonly displayName: string;
  readonly slug: string;
  readonly role: string;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export function identityNote(persona: AgentPersona): string {
  const lines = [
    '# Who you are',
    '',
    `- name: ${oneLine(persona.displayName) || persona.slug}`,
    `- slug: @${persona.slug}`,
  ];
  if (persona.role.trim()) lines.push(`- role: ${oneLine(persona.role)}`);
  return lines.join('\n');
}

/** Empty strings if the note is missing. */
export function readIdentityNote(system: string): AgentPersona {
  const from = system.indexOf('# Who you are\n');
  const note = from < 0 ? '' : system.slice(from, from + 1_200);
  const read = (name: string): string => new RegExp(`^- ${name}: (.*)$`, 'm').exec(note)?.[1] ?? '';
  return { displayName: read('name'), slug: read('slug').replace(/^@/, ''), role: read('role') };
}
