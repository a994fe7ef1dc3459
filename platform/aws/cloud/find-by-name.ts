// Images, subnets and security groups by their names.
import type { Findable } from '../../../master/cloud/index.ts'
import type { Ec2 } from './ec2.ts'

/** Its id, or for `root` the root device of an image; undefined where nothing has the name. */
export async function findByName({ sdk, client }: Ec2, what: Findable, name: string): Promise<string | undefined> {
  switch (what) {
    case 'image': {
      const { Images = [] } = await client.send(
        new sdk.DescribeImagesCommand({ Filters: [{ Name: 'name', Values: [name] }] }),
      )
      const newest = Images.sort((a, b) => ((a.CreationDate ?? '') < (b.CreationDate ?? '') ? 1 : -1))[0]
      return newest?.ImageId
    }
    case 'root': {
      const { Images = [] } = await client.send(new sdk.DescribeImagesCommand({ ImageIds: [name] }))
      return Images[0]?.RootDeviceName
    }
    case 'subnet': {
      const { Subnets = [] } = await client.send(
        new sdk.DescribeSubnetsCommand({ Filters: [{ Name: 'tag:Name', Values: [name] }] }),
      )
      return Subnets[0]?.SubnetId
    }
    case 'group': {
      const { SecurityGroups = [] } = await client.send(
        new sdk.DescribeSecurityGroupsCommand({ Filters: [{ Name: 'group-name', Values: [name] }] }),
      )
      return SecurityGroups[0]?.GroupId
    }
  }
}
