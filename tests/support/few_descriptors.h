// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace sg::test {

/// While it lives, this process can open `free` descriptors more. Standard input has to be open.
class FewDescriptors
{
public:
    explicit FewDescriptors(int free)
    {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        rlimit low = before_;
        low.rlim_cur = std::min<rlim_t>(before_.rlim_cur, 1024);
        ::setrlimit(RLIMIT_NOFILE, &low);
        for (int fd = ::dup(0); fd >= 0; fd = ::dup(0))
            taken_.push_back(fd);
        for (int i = 0; i < free && !taken_.empty(); ++i)
            giveBackOne();
    }
    ~FewDescriptors() { giveBack(); }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;

    void giveBack()
    {
        while (!taken_.empty())
            giveBackOne();
        ::setrlimit(RLIMIT_NOFILE, &before_);
    }

private:
    void giveBackOne()
    {
        ::close(taken_.back());
        taken_.pop_back();
    }
    rlimit before_{};
    std::vector<int> taken_;
};

} // namespace sg::test
