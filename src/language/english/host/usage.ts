export const usage = {
  allAgents: 'all agents',
  budgetNearlyUsedUp: 'The budget of {whose} is nearly used up: {figures}.',
  budgetUsedUp: 'The budget of {whose} is used up: {figures}.',
  goesItselfWhenDisk: 'It goes on by itself when the disk works again.',
  month: 'this month',
  nextMonth: 'next month',
  of: '{used} of {max} {span}',
  priceUnknownBudgetDollars:
    'The price of {model} is unknown, and the budget of {whose} is in dollars. The model was not asked.',
  raiseWaitUntil: 'Raise it with `{command}`, or wait until {until}.',
  setPriceDaemonYml: 'Set a price for {model} (daemon.yml, `prices`), or use a budget in tokens instead.',
  simulated: '{used} of {max} simulated, {span}',
  spentFarCannotRead: 'What was spent so far cannot be read, so nothing more is spent. {why}',
  spentLockedSecrets: 'What was spent is locked with your secrets.',
  today: 'today',
  tokens: '{used} of {max} tokens {span}',
  tomorrow: 'tomorrow',
} as const;
