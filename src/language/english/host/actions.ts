import { conjugate } from '../../verb-forms.ts';

/** Titles of tool actions. Each completes "The agent wants to". */
export const actions = {
  askModel: 'ask its model for JSON',
  beginAnew: 'begin its next turn anew',
  callServerTool: 'use {tool} of the MCP server {server}',
  cancelRun: 'cancel the run {id}',
  changeWith: 'change with {program}',
  editFile: 'edit {path}',
  editNote: 'edit its note {name}',
  fetchFiles: 'fetch files of {channel}',
  finishTask: 'finish the task',
  forgetNote: 'forget its note {name}',
  giveItselfTask: 'give itself a task',
  giveTask: 'give {name} a task',
  installServer: 'install the MCP server {name}',
  installSkill: 'install the skill {name}',
  listAgents: 'list the agents of its channels',
  listChannels: 'list its channels',
  listFolder: 'list {path}',
  listMembers: 'list the members of {channel}',
  listNotes: 'list its notes',
  listServers: 'list its MCP servers',
  listSkills: 'list its skills',
  listTasks: 'list its tasks',
  lookAtRun: 'look at the run {id}',
  lookAtTask: 'look at task {task}',
  lookUpItself: 'look up who it is',
  lookUpPerson: 'look up {person}',
  lookWith: 'look with {program}',
  noteTaskFacts: 'note facts of the task',
  readFile: 'read {path}',
  readInstructions: 'read its instructions again',
  readMessage: 'read a message',
  readMessages: 'read messages of {channel}',
  readNote: 'read its note {name}',
  readSkill: 'read its skill {name}',
  readThread: 'read a thread',
  remember: 'remember something in {name}',
  removeServer: 'remove its MCP server {name}',
  removeSkill: 'remove its skill {name}',
  removeWith: 'remove with {program}',
  runCode: 'run code that calls its tools',
  runCommand: 'run a command',
  runProgram: 'run {title} with your rights, without a sandbox',
  startSubAgent: 'start a sub-agent',
  startNamedSubAgent: 'start the sub-agent {name}',
  runScript: 'run a script ({language}) that may call its tools',
  runShellLine: 'run a shell line',
  runWorkflow: 'run a workflow',
  runNamedWorkflow: 'run the workflow {name}',
  searchFiles: 'search {path}',
  searchMessages: 'search its messages',
  searchNotes: 'search its notes',
  sendAnswer: 'send its answer',
  sendFile: 'send {path} to {room}',
  sendFiles: 'send {n} files to {room}',
  sendMessage: 'send a message to {room}',
  thinkWith: 'use the model {model} from now on',
  useTool: 'use {tool}',
  useToolOn: 'use {tool} on {what}',
  writeFile: 'write {path}',
} as const;

type Titles = { readonly [Key in keyof typeof actions]: string };

const inForm = (phase: 'running' | 'done'): Titles =>
  Object.fromEntries(
    Object.entries(actions).map(([key, title]) => [key, conjugate(title, phase)]),
  ) as unknown as Titles;

export const actionsRunning = inForm('running');
export const actionsDone = inForm('done');
