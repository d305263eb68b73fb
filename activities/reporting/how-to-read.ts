/** What the figures of a report mean, a paragraph each; words between stars are those that stand in it. */
export const HOW_TO_READ: readonly string[] = [
  'A *rating* is a Bradley–Terry strength on the Elo scale, mean 1000: 100 points more are a chance of 64 % that a fresh hypothesis of the one is judged better than a fresh one of the other. It holds for this judge, these prompts and this goal, and for no other.',
  'The *interval* beside it is for that candidate looked at alone. Whether two candidates differ is told by *differences*, whose intervals hold all at once in 95 % of benches; *rank* is the range that they leave open, and candidates that share a *letter* are not shown to differ.',
  '*better*, *worse*: the interval excludes zero. *no difference*: it lies within the margin. *underpowered*: neither; the bench was too small to tell. *too few*: no interval can be given, and none is made up.',
  '*mean Elo* is the older figure: sequential Elo in schedule order, start 1200, a candidate’s mean over its hypotheses. It has no interval.',
  'Each match is judged in both orders, unless its bench’s settings say that one was enough. Opposite verdicts are a *flip* and count as a tie; a side in one order and a tie in the other is a *half flip*. A verdict that could not be had leaves its match unplayed: it is no win and no zero.',
  '*gold* counts entities of an answer key that a candidate’s hypotheses name. The keys are public, so a model may have read them.',
  'Costs are what providers report, else tokens × a dated price table. *≥* marks costs of which a part is unknown or in doubt. Latencies are percentiles over the answered calls: half of them took *p50* or less, 95 of 100 took *p95* or less.',
  'What is marked *simulated* measures nothing but this program.',
];
