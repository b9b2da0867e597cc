/** What Vitest's JSON reporter writes, as far as it is read here. */
export type VitestReport = {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    /** The error of a file that broke outside of its tests. */
    message: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      failureMessages: string[];
    }[];
  }[];
};

/** What Playwright's JSON reporter writes, as far as it is read here. */
export type PlaywrightReport = {
  errors: PlaywrightError[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
};

export type PlaywrightSuite = {
  title: string;
  specs: {
    title: string;
    file: string;
    tests: { status: string; results: { errors: PlaywrightError[] }[] }[];
  }[];
  suites?: PlaywrightSuite[];
};

export type PlaywrightError = { message?: string; stack?: string; value?: string };

export type TestReport = VitestReport | PlaywrightReport;
