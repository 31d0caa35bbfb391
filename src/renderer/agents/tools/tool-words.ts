import { toolHelp } from '../../../language/english/tool-help.ts';
import { t } from '../../../language/texts.ts';

const isKnown = (name: string): name is keyof typeof toolHelp => Object.hasOwn(toolHelp, name);

/** The rest of a description tells the model how to use the tool. */
const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

/** Explains a tool to the operator; a tool of an MCP server has only its description for models. */
export const toolWords = ({
  name,
  description,
}: {
  readonly name: string;
  readonly description: string;
}): string => (isKnown(name) ? t(`toolHelp.${name}`) : firstSentence(description));
