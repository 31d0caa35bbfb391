import { t } from '../../language/texts.ts';

export const templateNames = ['helper', 'reviewer', 'researcher', 'writer', 'blank'] as const;
export type TemplateName = (typeof templateNames)[number];

export interface AgentTemplate {
  readonly role: string;
  readonly soul: string;
}

export const templateOf = (name: TemplateName): AgentTemplate =>
  name === 'blank'
    ? { role: '', soul: '' }
    : { role: t(`templates.${name}Role`), soul: t(`templates.${name}Soul`) };

/** Each option is a key, a label and a description. */
export const templateOptions = (): readonly (readonly [TemplateName, string, string])[] =>
  templateNames.map((name) => [name, t(`templates.${name}`), t(`templates.${name}Means`)]);
