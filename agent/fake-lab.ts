// A minion and its fake master for each test of a file.
import { FakeMaster } from './fake-master.ts'
import { type FakeSetup, fakeSetup } from './fake-setup.ts'
import { createMinion, type Minion } from './minion.ts'

/** The lab of the test that runs. */
export interface Lab {
  master: FakeMaster
  fake: FakeSetup
  /** Makes the setup (`more` is YAML laid over it) and starts its minion. */
  started(more?: string): Promise<Minion>
  /** Starts another minion on the same setup. */
  again(): Promise<Minion>
}

/** The test runner's hooks. */
interface Hooks {
  beforeEach(work: () => Promise<void>): void
  afterEach(work: () => Promise<void>): void
}

/** Makes a new lab before each test and takes it down after it. */
export function useLab({ beforeEach, afterEach }: Hooks): Lab {
  const minions: Minion[] = []
  const lab = {
    async started(more = '') {
      lab.fake = await fakeSetup(lab.master.url, more)
      return lab.again()
    },
    async again() {
      const minion = createMinion(lab.fake.setup, lab.fake.outside)
      minions.push(minion)
      await minion.start()
      return minion
    },
  } as Lab
  beforeEach(async () => {
    lab.master = await FakeMaster.start()
  })
  afterEach(async () => {
    for (const minion of minions.splice(0)) await minion.stop()
    await lab.master.stop()
    await lab.fake.remove()
  })
  return lab
}
