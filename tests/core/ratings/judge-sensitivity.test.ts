import { fitWithCovariates } from '../../../core/ratings/covariate-fit';
import { judgeSensitivity, type TextFeatures } from '../../../core/ratings/judge-sensitivity';
import { matchDesign } from '../../../core/ratings/match-design';
import { match } from './rated-matches';

const SCORED = {
  1: ['a', 'a'],
  0.75: ['a', 'tie'],
  0.5: ['a', 'b'],
  0.25: ['b', 'tie'],
  0: ['b', 'b'],
} as const;

describe('a fit with covariates', () => {
  it('equals scipy 1.17.1 (minimize) on ten matches: θ .364196, −.009532, −.354664, effects .475375, .262459', () => {
    const table = [
      ['a', 'b', 1, 120, 2],
      ['a', 'b', 0.75, -40, 1],
      ['b', 'c', 0.5, 10, -3],
      ['c', 'a', 0.25, 60, 0],
      ['b', 'c', 0, -200, 2],
      ['c', 'a', 0.5, 30, 1],
      ['a', 'b', 0.25, 80, -1],
      ['b', 'c', 0.75, 50, 0],
      ['a', 'c', 1, 10, 3],
      ['b', 'a', 0.5, -90, -2],
    ] as const;
    const design = matchDesign(
      table.map(([one, other, score], k) => match(k, `${one}/${k}`, `${other}/${k}`, SCORED[score])),
    );
    const columns = [table.map((row) => row[3]), table.map((row) => row[4])];
    const fit = fitWithCovariates(design, columns, { priorSd: 1, tieWeight: 0 });
    [0.3641960608340319, -0.009532407959313247, -0.3546636528747186].forEach((theta, i) => {
      expect(fit.theta[i]!).toBeCloseTo(theta, 6);
    });
    [0.47537485, 0.26245903].forEach((effect, k) => {
      expect(fit.effects[k]!).toBeCloseTo(effect, 6);
    });
    [88.14760348, 1.81659021].forEach((sd, k) => {
      expect(fit.sds[k]!).toBeCloseTo(sd, 8);
    });
    // numpy 2.4.6, lstsq.
    [0.28727428727428705, 0.17171717171717182].forEach((share, k) => {
      expect(fit.explained[k]!).toBeCloseTo(share, 7);
    });
    expect(fit.gradient).toBeLessThan(1e-9);
  });
});

describe('a fit with covariates where one is never beaten', () => {
  it('equals numpy 2.4.6 (Newton) on seven matches with ¼ of a tie each: θ 2.311885, −1.233214, −1.078671', () => {
    const table = [
      ['a', 'b', 1, 120, 2],
      ['a', 'b', 1, -40, 1],
      ['b', 'c', 0.5, 10, -3],
      ['a', 'c', 1, 60, 0],
      ['b', 'c', 0, -200, 2],
      ['a', 'c', 1, 30, 1],
      ['b', 'c', 0.75, 50, 0],
    ] as const;
    const design = matchDesign(
      table.map(([one, other, score], k) => match(k, `${one}/${k}`, `${other}/${k}`, SCORED[score])),
    );
    const columns = [table.map((row) => row[3]), table.map((row) => row[4])];
    const fit = fitWithCovariates(design, columns, { priorSd: 1, tieWeight: 0.25 });
    [2.311885171853488, -1.2332143006416265, -1.0786708712118613].forEach((theta, i) => {
      expect(fit.theta[i]!).toBeCloseTo(theta, 8);
    });
    [0.5432249480007925, -0.11797083969145915].forEach((effect, k) => {
      expect(fit.effects[k]!).toBeCloseTo(effect, 8);
    });
    expect(fit.gradient).toBeLessThan(1e-9);
  });
});

describe('judge sensitivity', () => {
  const lengths: Record<string, number> = {
    'p/1': 900,
    'p/2': 300,
    'p/3': 900,
    'r/1': 300,
    'r/2': 800,
    'r/3': 500,
  };
  const longerWins = ['p/1', 'p/2', 'p/3'].flatMap((one, i) =>
    ['r/1', 'r/2', 'r/3'].map((other, j) =>
      match(3 * i + j, one, other, lengths[one]! > lengths[other]! ? ['a', 'a'] : ['b', 'b']),
    ),
  );
  const features = new Map<string, TextFeatures>(
    Object.entries(lengths).map(([name, lengthChars]) => [name, { lengthChars, citations: 3 }]),
  );
  const models = [{ model: 'm', pipeline: 'p', raw: 'r', pipelineUsd: null, rawUsd: null }];

  it('of a judge that only counts characters takes away most of what the longer side seemed to gain', () => {
    const { pipelineMinusRaw, covariates } = judgeSensitivity(longerWins, features, models);
    const before = pipelineMinusRaw[0]!.before!;
    const after = pipelineMinusRaw[0]!.after!;
    expect(before).toBeGreaterThan(100);
    expect(Math.abs(after)).toBeLessThan(before / 2);
    expect(covariates[0]!.eloPerSd!).toBeGreaterThan(150);
  });

  it('says nothing of citations where all texts have three', () => {
    const { covariates } = judgeSensitivity(longerWins, features);
    expect(covariates[1]).toEqual({ name: 'citations', eloPerSd: null, sd: 0, explainedByCandidates: null });
  });

  it('shows that length and candidate cannot be told apart when each has one length', () => {
    const constant = new Map(
      [...features].map(([name, one]) => [name, { ...one, lengthChars: name.startsWith('p') ? 900 : 300 }]),
    );
    expect(judgeSensitivity(longerWins, constant).covariates[0]!.explainedByCandidates!).toBeCloseTo(1, 6);
  });

  it('names the hypothesis whose features are missing', () => {
    expect(() => judgeSensitivity(longerWins, new Map())).toThrow('no text features of "p/1"');
  });
});
