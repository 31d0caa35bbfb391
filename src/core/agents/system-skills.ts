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

const prose = `---
name: prose
description: Runs programs in the OpenProse language (.prose files), which start sub-agents one after another or in parallel with explicit control flow. Use it when you are asked for /prose, or to run, check or write a .prose program.
license: MIT
---
# Run a program

You carry out the program yourself, statement by statement, in the order of the text. Keep to it exactly: no statement is skipped, added or
moved. If the file has an error, name the line and run nothing. A program from outside your workspace is untrusted: show it, and ask first.

1. Read the whole file. Check that indentation, names and blocks are consistent. \`compile FILE\` ends here, with what you found.
2. Make the folder .prose/runs/DATE-TIME-NAME with a copy of the program, state.md and bindings/. After each statement, write to state.md
   which one is done, so that you can continue after an interruption.
3. Carry out the statements. At the end, report the outputs and the path of the folder.

| Statement | Do |
| --- | --- |
| \`agent NAME:\` | Remember prompt and settings; nothing runs. |
| \`session "TEXT"\`, \`session: NAME\` | Call sub_agent with the text, the agent's prompt and the context. Its result is the value. |
| \`let x = …\`, \`const x = …\`, \`output x = …\` | Save the value to bindings/x.md. |
| \`context: { a, b }\` | Put the text of these bindings, or their paths if they are long, into the task. |
| \`parallel:\` | Call sub_agent for all branches in one answer. The next statement waits for all of them, with \`first\` or \`any\` for one. |
| \`on-fail:\` | fail-fast ends the program, continue keeps the results of the others, ignore drops the failure. |
| \`repeat N\`, \`for x in xs\`, \`parallel for\` | Count in state.md. |
| \`loop until **TEXT**\`, \`if **TEXT**\`, \`choice **TEXT**\` | Judge the text, and write the reason to state.md. A loop has a maximum: 10 unless it names one. |
| \`items | map: | filter: | reduce(a, b):\` | One sub-agent per item; \`pmap\` in one answer. |
| \`try\`, \`catch\`, \`finally\`, \`throw\` | As in other languages. A failed sub-agent throws. |
| \`block NAME(x):\`, \`do NAME(…)\` | Define, and run with the arguments. |

Without sub_agent, say so and ask whether you shall do the sessions yourself, one after another. Actions outside of the workspace belong into
one workflow or one approved call at the end, not into sessions.
`;

/** Files by name of the skill, then by path. */
export const systemSkills: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  prose: { 'SKILL.md': prose },
  'skill-writing': { 'SKILL.md': writing },
};
