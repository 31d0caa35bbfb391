/** Skills that Kennel brings along. An agent gets one when its operator switches it on. */

const writing = `---
name: skill-writing
description: How to write and keep a skill in the AgentSkills format. Use it when you are asked to remember a procedure, a checklist or a way of working for later, or to turn a finished piece of work into a skill.
license: MIT
---
# Write a skill

A skill is a folder with the file SKILL.md: a head between lines of three dashes, then Markdown.

1. Choose a name of small letters, digits and single dashes that says what the skill does, for example \`weekly-report\`.
2. Write a description of one or two sentences: what the skill does, and the words by which you will notice that it fits. You see nothing
   else of the skill until you read it.
3. Write the text as instructions to somebody who knows nothing of today: what is needed first, the steps in order, how to check the result,
   and what to do when a step fails. Give one example of a good result. Keep it under 500 lines.
4. Leave out keys, passwords, and what people told you in confidence.
5. Save it with install_skill. Your operator sees the whole text and decides.

The head has these fields and no others: name, description, license, compatibility, metadata, allowed-tools. Put a value that contains
a colon in quotes.
`;

/** Files by name of the skill, then by path. */
export const systemSkills: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'skill-writing': { 'SKILL.md': writing },
};
