// What a region has to offer: its own name among others, images, and sizes of machines.
import type { Mapping } from '../../../core/value/index.ts'
import type { Offer } from '../../../master/cloud/index.ts'
import type { Ec2 } from './ec2.ts'
import { imageShape } from './wire-shape.ts'

/** By name or id; sizes by their family first, as Salt groups them. `owner` is whose images: `amazon`, `self`, an account. */
export async function offersOf(ec2: Ec2, what: Offer, owner: string): Promise<Mapping> {
  switch (what) {
    case 'locations':
      return locations(ec2)
    case 'images':
      return images(ec2, owner)
    case 'sizes':
      return sizes(ec2)
  }
}

async function locations({ sdk, client }: Ec2): Promise<Mapping> {
  const { Regions = [] } = await client.send(new sdk.DescribeRegionsCommand({}))
  return Object.fromEntries(
    Regions.map(({ RegionName = '', Endpoint = '' }) => [RegionName, { name: RegionName, endpoint: Endpoint }]),
  )
}

async function images({ sdk, client }: Ec2, owner: string): Promise<Mapping> {
  const { Images = [] } = await client.send(new sdk.DescribeImagesCommand({ Owners: [owner] }))
  return Object.fromEntries(Images.map((image) => [image.ImageId ?? '', imageShape(image)]))
}

async function sizes({ sdk, client }: Ec2): Promise<Mapping> {
  const families: Record<string, Mapping> = {}
  for await (const { InstanceTypes = [] } of sdk.paginateDescribeInstanceTypes({ client }, {}))
    for (const { InstanceType: id = '', VCpuInfo, MemoryInfo, InstanceStorageInfo } of InstanceTypes) {
      const family = id.split('.')[0] ?? id
      families[family] = {
        ...families[family],
        [id]: {
          id,
          cores: String(VCpuInfo?.DefaultVCpus ?? ''),
          disk: InstanceStorageInfo === undefined ? 'EBS' : `${InstanceStorageInfo.TotalSizeInGB ?? ''} GB`,
          ram: `${(MemoryInfo?.SizeInMiB ?? 0) / 1024} GiB`,
        },
      }
    }
  return families
}
